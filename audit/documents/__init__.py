"""What reports are made of: the parts of a document, and the forms that render it."""
