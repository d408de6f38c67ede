"""Dumps, loads and browses the items of any table, as DynamoDB stores them."""
