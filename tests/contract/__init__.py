"""DynamoDB's behaviour as its users see it, asked of every driver through boto3's methods."""
