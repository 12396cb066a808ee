"""Colors before the title of a box: names of CSS and functions such as `rgb(33, 66, 99)`."""

from __future__ import annotations

import re

_FUNCTION = re.compile(r"(?:rgba?|hsla?)[ \t]*\([^)]*\)[ \t]*", re.IGNORECASE)
#: The names of CSS Color Module Level 4.
_CSS_NAMES = """
aliceblue antiquewhite aqua aquamarine azure beige bisque black blanchedalmond blue blueviolet brown burlywood cadetblue
chartreuse chocolate coral cornflowerblue cornsilk crimson cyan darkblue darkcyan darkgoldenrod darkgray darkgreen
darkgrey darkkhaki darkmagenta darkolivegreen darkorange darkorchid darkred darksalmon darkseagreen darkslateblue
darkslategray darkslategrey darkturquoise darkviolet deeppink deepskyblue dimgray dimgrey dodgerblue firebrick
floralwhite forestgreen fuchsia gainsboro ghostwhite gold goldenrod gray green greenyellow grey honeydew hotpink
indianred indigo ivory khaki lavender lavenderblush lawngreen lemonchiffon lightblue lightcoral lightcyan
lightgoldenrodyellow lightgray lightgreen lightgrey lightpink lightsalmon lightseagreen lightskyblue lightslategray
lightslategrey lightsteelblue lightyellow lime limegreen linen magenta maroon mediumaquamarine mediumblue mediumorchid
mediumpurple mediumseagreen mediumslateblue mediumspringgreen mediumturquoise mediumvioletred midnightblue mintcream
mistyrose moccasin navajowhite navy oldlace olive olivedrab orange orangered orchid palegoldenrod palegreen
paleturquoise palevioletred papayawhip peachpuff peru pink plum powderblue purple rebeccapurple red rosybrown royalblue
saddlebrown salmon sandybrown seagreen seashell sienna silver skyblue slateblue slategray slategrey snow springgreen
steelblue tan teal thistle tomato transparent turquoise violet wheat white whitesmoke yellow yellowgreen
"""
_NAMES = frozenset(_CSS_NAMES.split())


def without_color(text: str) -> str:
    """Return the title of a box without the color before it."""
    function = _FUNCTION.match(text)
    if function is not None:
        return text[function.end() :].strip()
    first, _, rest = text.partition(" ")
    return rest.strip() if first.lower() in _NAMES else text.strip()
