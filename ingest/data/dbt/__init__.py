"""dbt: projects whose models are queries in templates of Jinja, and the YAML that describes them. No template is run."""
