"""What lies in tables, declared or not: dumped, loaded and browsed as DynamoDB keeps it."""
