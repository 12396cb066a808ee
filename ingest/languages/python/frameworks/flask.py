"""Flask and its extensions: routes, handlers, commands, resources."""

from __future__ import annotations

from .conventions import Bases, Calls, Framework, names

_APPLICATION = r"(?:Flask|Blueprint|Quart|APIBlueprint|APIFlask|OpenAPI)\(\)"

FLASK = Framework(
    "Flask",
    ("flask", "quart", "flask_restful", "flask_restx", "flask_login", "flask_smorest", "apiflask", "flask_openapi3"),
    {
        "route": names(
            rf"{_APPLICATION}\.(?:route|get|post|put|patch|delete|websocket)"
            r"| (?:Api|Namespace|Blueprint)\(\)\.(?:route|resource)"
        ),
        "handler": names(
            rf"""{_APPLICATION}\.(?:(?:app_)?(?:errorhandler|context_processor|url_defaults|url_value_preprocessor|template_\w+)
            | (?:before|after|teardown)_\w+ | shell_context_processor | endpoint | record(?:_once)?)
            | (?:LoginManager|JWTManager)\(\)\.\w+ | Api\(\)\.errorhandler"""
        ),
        "command": names(rf"(?:{_APPLICATION}\.cli|AppGroup\(\))\.(?:command|group)"),
    },
    (
        Bases(
            names(r"(?:Resource|MethodView|View)(?:\(\))?"), "", names("get|post|put|patch|delete|head|options|dispatch_request")
        ),
        Bases(
            names("JSONProvider|DefaultJSONProvider|SessionInterface"), "", names("dumps|loads|default|open_session|save_session")
        ),
    ),
    (
        Calls(
            names(
                rf"{_APPLICATION}\.(?:add_url_rule|register_error_handler|add_template_\w+|register_blueprint|cli\.add_command)"
            ),
            "route",
        ),
        Calls(names(r"(?:Api|Namespace)\(\)\.add_resource"), "route"),
        Calls(names(rf"{_APPLICATION}\.(?:(?:before|after|teardown)_\w+|context_processor|record)"), "handler"),
    ),
)
