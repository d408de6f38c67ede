"""DynamoDB's expression languages: parsed once, checked and run with the values of each call.

Nothing here knows of tables, files or requests; items and values are plain dictionaries.
"""
