"""dbt: projects with queries in Jinja templates as models, and descriptions in YAML. No template is run."""
