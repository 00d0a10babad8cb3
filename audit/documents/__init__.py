"""What reports of all kinds share: sentences, sections, cases, forms, and the codec of JSON."""
