"""Sphinx's settings for the site; `course site` puts this file beside the pages."""

project = "Right alone, wrong in parallel"
author = ""
extensions = ["myst_nb", "sphinx_copybutton", "sphinx_design"]
html_theme = "furo"
html_title = project
html_static_path = ["_static"]
templates_path = ["_templates"]  # its search leads to the index, by what one sees
html_css_files = ["film.css", "site.css"]
html_js_files = [
    ("film.js", {"loading_method": "defer"}),
    ("questions.js", {"loading_method": "defer"}),
    ("reading.js", {"loading_method": "defer"}),
]
html_extra_path = ["probes.py"]
exclude_patterns = ["probes.py"]
html_show_sphinx = False
html_show_copyright = False
html_copy_source = False
html_show_sourcelink = False
# from a file, a page can't fetch another one to show some lines of it
html_show_search_summary = False
nb_execution_mode = "off"
nb_merge_streams = True
myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 4
# probes have anchors of the names that other pages link to
copybutton_exclude = ".linenos, .gp"
suppress_warnings = ["myst.header", "mystnb.unknown_mime_type"]
