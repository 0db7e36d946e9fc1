"""To be imported before nbformat: spares a second of every `course` command.

jsonschema builds the grammar of international addresses where it finds the package for
it; no notebook's schema asks for one.
"""

import sys

# the import then fails, as where it is not installed, and jsonschema goes without
sys.modules.setdefault("rfc3987_syntax", None)
