"""Results as text for people: a module for each domain, a function for each verb.

A function takes the result, and by name those arguments of the verb that its text depends on. It
returns the text, or the text and the exit code. A verb without one is shown as a table.
"""
