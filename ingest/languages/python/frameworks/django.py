"""Django and Django REST framework: models, routes, signals, commands, administration, and code in files with fixed names."""

from __future__ import annotations

from .conventions import Bases, Calls, Framework, Places, names

_HTTP = "get|post|put|patch|delete|head|options|trace|http_method_not_allowed|dispatch|setup"

DJANGO = Framework(
    "Django",
    (
        "django",
        "rest_framework",
        "channels",
        "django_filters",
        "ninja",
        "wagtail",
        "graphene_django",
        "graphene",
        "import_export",
        "tastypie",
        "factory",
    ),
    {
        "handler": names("receiver|connect|post_generation|lazy_attribute"),
        "configuration": names(r"register(?:\(\))? | display | action | (?:\w+\.)*register"),
        "hook": names(r"Library\(\)\.(?:filter|tag|simple_tag|inclusion_tag|simple_block_tag) | hooks?\.register"),
        "route": names(
            r"api_view | action | (?:NinjaAPI|Router)\(\)\.(?:get|post|put|patch|delete|api_operation|exception_handler)"
        ),
    },
    (
        Bases(
            names(r"Model|AbstractUser|AbstractBaseUser|PermissionsMixin|MPTTModel|Page|TimeStampedModel"),
            "model",
            names(
                "save|delete|clean|full_clean|clean_\\w+|get_absolute_url|natural_key|validate_unique|refresh_from_db|from_db|prepare_\\w+"
            ),
        ),
        Bases(
            names(r"(?:Base)?Manager|QuerySet|UserManager|BaseUserManager"),
            "",
            names("get_queryset|get_by_natural_key|create_user|create_superuser|use_in_migrations"),
        ),
        Bases(names(r"AppConfig"), "configuration", names("ready")),
        Bases(
            names(r"(?:Base|App|Label|NoArgs)Command"), "command", names("handle\\w*|add_arguments|create_parser|execute|help")
        ),
        Bases(names(r"Migration"), "hook"),
        Bases(
            names(r"\w*View|\w*ViewSet|\w*ViewMixin|\w*Mixin|APIView|LoginRequiredMixin"),
            "",
            names(
                rf"{_HTTP}|get_\w+|form_(?:in)?valid|perform_\w+|list|create|retrieve|(?:partial_)?update|destroy|test_func|handle_\w+|check_\w+|initial\w*|paginate_queryset|filter_queryset|render_to_response|head"
            ),
        ),
        Bases(
            names(r"\w*Admin|\w*Inline"),
            "",
            names(
                r"get_\w+|has_\w+|save_\w+|delete_\w+|formfield_\w+|\w+_view|response_\w+|log_\w+|lookup_allowed|render_change_form|construct_change_message"
            ),
        ),
        Bases(
            names(r"\w*Form|\w*FormSet|\w*Serializer|\w*Field|\w*Widget"),
            "",
            names(
                r"clean\w*|save\w*|is_valid|to_(?:representation|internal_value|python)|validate\w*|get_\w+|create|update|run_validat\w+|from_db_value|pre_save|deconstruct|formfield|db_type|contribute_to_class|render|value_\w+|format_value|prepare_value|has_changed|description|bind"
            ),
        ),
        Bases(
            names(r"\w*TestCase|\w*TestMixin|\w*TestSuiteRunner|DiscoverRunner"),
            "test",
            names(r"test\w*|setUp\w*|tearDown\w*|run|runTest|setup_\w+|teardown_\w+|fixtures"),
        ),
        Bases(names(r"MiddlewareMixin"), "", names(r"process_\w+")),
        Bases(names(r"Sitemap|Feed"), "", names(r"\w+")),
        Bases(names(r"BasePermission|\w*Permission\w*"), "", names("has_permission|has_object_permission")),
        Bases(
            names(r"\w*Backend|\w*Authentication"),
            "",
            names(r"authenticate\w*|get_user\w*|has_\w+|get_\w+|send_messages|open|close|filter_queryset|configure_user"),
        ),
        Bases(
            names(
                r"\w*Throttle|\w*Pagination|\w*Renderer|\w*Parser|\w*Storage|\w*Loader|\w*Router|\w*Metadata|\w*Node|Node|\w*Consumer|\w*FilterSet|\w*Filter|\w*Handler|\w*Lookup|\w*Transform|\w*Expression|Func|Operation|\w*Reporter\w*"
            ),
            "",
            names(r"[a-z]\w+"),
        ),
        Bases(
            names(r"ObjectType|Mutation|DjangoObjectType|\w*Factory"),
            "",
            names(r"resolve_\w+|mutate|_create|_build|_after_\w+|get_queryset|get_node"),
        ),
    ),
    (
        Calls(names("path|re_path|url|include|register_converter"), "route"),
        Calls(names(r"(?:\w*Router\(\)\.)?register | (?:site|admin)\.register"), "configuration"),
        Calls(names(r"connect|\w+\.connect"), "handler", takes_functions=True),
        Calls(names("RunPython|on_commit"), "hook"),
        Calls(names(r"Library\(\)\.(?:filter|tag|simple_tag|inclusion_tag)"), "hook"),
        Calls(
            names("user_passes_test|method_decorator|CharField|IntegerField|TextField|ForeignKey|FileField|ImageField|\\w+Field"),
            "validator",
        ),
    ),
    (
        Places(names(r".*\.py"), names(r"\w*urlpatterns"), "route"),
        Places(names(r"(?:.*/)?\w*urls?\w*(?:/\w+)?\.py"), names(r"app_name|handler\d+"), "route"),
        Places(names(r"(?:.*/)?management/commands/\w+\.py"), names("Command"), "command"),
        Places(names(r"(?:.*/)?migrations/\w+\.py"), names("Migration"), "hook"),
        Places(names(r"(?:.*/)?templatetags/\w+\.py"), names("register"), "hook"),
        Places(names(r"(?:.*/)?(?:wsgi|asgi|routing)\.py"), names("application|app|channel_routing"), "entry point"),
        Places(names(r"(?:.*/)?manage\.py"), names("main"), "entry point"),
        Places(names(r"(?:.*/)?__init__\.py"), names("default_app_config"), "configuration"),
    ),
)
