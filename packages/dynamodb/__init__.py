"""The folder of the package gotgan-dynamodb, which a .pth file appends to the path.

Without this file, pytest would take the modules in it for a plugin's and rewrite their asserts.
"""
