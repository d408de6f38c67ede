"""The oracle: the same requests to our engine and to other DynamoDBs, and every difference."""
