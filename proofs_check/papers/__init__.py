"""The claims of each paper: one package a paper, one module a chapter or topic."""
