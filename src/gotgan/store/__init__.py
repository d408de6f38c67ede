"""The store: DynamoDB as Python values, on the embedded engine or on AWS."""
