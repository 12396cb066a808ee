"""Names of components and elements: spellings, and the tags that are elements of HTML, SVG and MathML."""

from __future__ import annotations

import re
from typing import Final

#: A single name, perhaps with white space around it: `{title}`.
IDENTIFIER: Final = re.compile(rb"\s*[A-Za-z_$][\w$]*\s*\Z")
_HYPHEN: Final = re.compile(r"-(\w)")

_NATIVE: Final = (
    "a abbr acronym address applet area article aside audio b base basefont bdi bdo bgsound big blink blockquote body br "
    "button canvas caption center cite code col colgroup data datalist dd del details dfn dialog dir div dl dt em embed "
    "fieldset figcaption figure font footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html i iframe img "
    "input ins kbd keygen label legend li link main map mark marquee menu menuitem meta meter nav noframes noscript object "
    "ol optgroup option output p param picture plaintext portal pre progress q rb rp rt rtc ruby s samp script search "
    "section select slot small source spacer span strike strong style sub summary sup svg table tbody td template textarea "
    "tfoot th thead time title tr track tt u ul var video wbr xmp animate animateMotion animateTransform circle clipPath "
    "defs desc discard ellipse feBlend feColorMatrix feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting "
    "feDisplacementMap feDistantLight feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur feImage feMerge "
    "feMergeNode feMorphology feOffset fePointLight feSpecularLighting feSpotLight feTile feTurbulence filter foreignObject "
    "g hatch hatchpath image line linearGradient marker mask mesh meshgradient meshpatch meshrow metadata mpath path "
    "pattern polygon polyline radialGradient rect set solidcolor stop switch symbol text textPath tspan unknown use view "
    "annotation annotation-xml maction math menclose merror mfenced mfrac mi mmultiscripts mn mo mover mpadded mphantom "
    "mroot mrow ms mspace msqrt mstyle msub msubsup msup mtable mtd mtext mtr munder munderover semantics"
)

#: Tags of elements. A capitalized tag with the same letters is a component.
NATIVE: Final = frozenset(_NATIVE.split())
_VOID: Final = "area base br col embed hr img input link meta param source track wbr"

#: Elements that have no closing tag.
VOID: Final = frozenset(_VOID.split())


def camel(name: str) -> str:
    """Return a name in camel case: `my-card` -> `myCard`."""
    return _HYPHEN.sub(lambda found: found[1].upper(), name)


def pascal(name: str) -> str:
    """Return a name in Pascal case: `my-card` -> `MyCard`."""
    name = camel(name)
    return name[:1].upper() + name[1:]


def unbound_tag(name: str) -> str:
    """Return the name under which the workspace is searched for an undeclared component: `<MyCard>`."""
    return f"<{pascal(name)}>"
