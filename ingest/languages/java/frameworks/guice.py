"""Guice and Dagger: modules that provide injected values.

AutoService: classes with an annotation that registers them for a service.
"""

from __future__ import annotations

from typing import Final

from .conventions import Bases, Framework, names, roles

GUICE: Final = Framework(
    "Guice",
    roles("com.google.inject", dependency="Provides", component="Singleton")
    | roles("com.google.inject.multibindings", dependency="ProvidesIntoSet ProvidesIntoMap ProvidesIntoOptional")
    | roles("com.google.common.eventbus", handler="Subscribe"),
    (
        Bases(
            names(r"com\.google\.inject(?:\.servlet)?:(?:AbstractModule|PrivateModule|ServletModule|Module)"),
            "configuration",
            names("configure|configureServlets"),
        ),
        Bases(names(r"com\.google\.inject:Provider"), "", names("get"), "dependency"),
    ),
)
AUTO_SERVICE: Final = Framework("AutoService", roles("com.google.auto.service", component="AutoService"))
DAGGER: Final = Framework(
    "Dagger", roles("dagger", configuration="Module Component Subcomponent", dependency="Provides Binds BindsOptionalOf")
)
