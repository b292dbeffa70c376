"""How Django writes what nobody has said otherwise of, by language."""
