"""People: guests, accounts and staff."""

from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.contrib import admin
from django.contrib.auth.admin import UserAdmin

from lobby.models import User

# Allauth shows these to whoever may see everything: keys of second factors, and keys of sessions.
admin.site.unregister((Authenticator, UserSession))


@admin.register(User)
class PersonAdmin(UserAdmin):  # type: ignore[type-arg]
    search_fields = ("username", "name", "email")
    list_display = ("username", "name", "is_guest", "is_staff", "date_joined")
    list_filter = ("is_guest", "is_staff", "is_active")
    # Guests have no page.
    view_on_site = False
    fieldsets = (*(UserAdmin.fieldsets or ()), ("At the table", {"fields": ("name", "is_guest")}))
