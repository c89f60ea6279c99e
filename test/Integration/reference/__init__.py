"""Transformer stacks with any norm placement, in float64 numpy.

This package is what the project's numerics tests compare against. It is
written from the papers and from the definitions of the models; it never reads
anything that the compiler produced.
"""
