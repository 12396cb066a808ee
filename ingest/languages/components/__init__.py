"""The parts that the languages of single-file components share: blocks, markup, and the lowering of scripts and expressions."""
