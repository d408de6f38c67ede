"""The typed store's speed beside boto3's resource, PynamoDB, and a loop of conditional puts."""
