"""The addresses of accounts. Allauth's pages have the names that it looks for; those that are not here, nobody has."""

from allauth.account import views as account
from allauth.mfa.base import views as second_factor
from allauth.mfa.recovery_codes import views as recovery_codes
from allauth.mfa.totp import views as totp
from django.urls import path, re_path

from lobby import views_account as views
from lobby import views_bots, views_holidays, views_notices, views_ways
from lobby.signing_in import for_accounts, for_visitors

sign_up = for_visitors(views.SignUp.as_view())
sign_in = for_visitors(views.SignIn.as_view())
sign_out = views.SignOut.as_view()

urlpatterns = [
    path("sign-up/", sign_up, name="sign-up"),
    path("sign-up/", sign_up, name="account_signup"),
    path("sign-in/", sign_in, name="sign-in"),
    path("sign-in/", sign_in, name="account_login"),
    path("sign-in/code/", for_visitors(second_factor.authenticate), name="mfa_authenticate"),
    path("sign-in/closed/", account.account_inactive, name="account_inactive"),
    path("sign-out/", sign_out, name="sign-out"),
    path("sign-out/", sign_out, name="account_logout"),
    path("account/", views.overview, name="account"),
    path("account/email/", for_accounts(account.email), name="account_email"),
    path("account/password/", for_accounts(views.ChangePassword.as_view()), name="account_change_password"),
    path("account/password/forgotten/", for_visitors(account.password_reset), name="account_reset_password"),
    path("account/password/forgotten/sent/", account.password_reset_done, name="account_reset_password_done"),
    path(
        "account/password/changed/", account.password_reset_from_key_done, name="account_reset_password_from_key_done"
    ),
    path("account/again/", for_accounts(account.reauthenticate), name="account_reauthenticate"),
    path("account/again/code/", for_accounts(second_factor.reauthenticate), name="mfa_reauthenticate"),
    path("account/second-factor/", for_accounts(second_factor.index), name="mfa_index"),
    path("account/second-factor/app/", for_accounts(totp.activate_totp), name="mfa_activate_totp"),
    path("account/second-factor/app/remove/", for_accounts(totp.deactivate_totp), name="mfa_deactivate_totp"),
    path(
        "account/second-factor/codes/", for_accounts(recovery_codes.view_recovery_codes), name="mfa_view_recovery_codes"
    ),
    path(
        "account/second-factor/codes/new/",
        for_accounts(recovery_codes.generate_recovery_codes),
        name="mfa_generate_recovery_codes",
    ),
    path("account/sessions/", views.sessions, name="account-sessions"),
    path("account/notices/", views_notices.notices, name="account-notices"),
    path("account/push/", views_ways.devices, name="push"),
    path("account/push/renewal/", views_ways.renewal, name="push-renewal"),
    path("account/push/remove/", views_ways.remove_device, name="push-remove"),
    path("account/push/test/", views_ways.test_devices, name="push-test"),
    path("account/webhook/", views_ways.webhook, name="webhook"),
    path("account/webhook/remove/", views_ways.remove_webhook, name="webhook-remove"),
    path("account/webhook/test/", views_ways.test_webhook, name="webhook-test"),
    path("account/holidays/", views_holidays.own, name="account-holidays"),
    path("account/bot/", views_bots.own, name="account-bot"),
    path("account/data/", views.data, name="account-data"),
    path("account/delete/", views.delete, name="account-delete"),
    path("account/guest-link/", views.make_link, name="make-guest-link"),
    # Whoever has one of these addresses is let in or known by it: no log has them, see catan_site/logs.py.
    path("account/link/notice/<str:token>/", views_notices.follow, name="notice-link"),
    path("account/link/no-more/<str:token>/", views_notices.end, name="notice-end"),
    path("account/link/guest/<str:token>/", views.follow_link, name="guest-link"),
    re_path(
        r"^account/link/email/(?P<key>[-:\w]+)/$",
        for_visitors(views.ConfirmAddress.as_view()),
        name="account_confirm_email",
    ),
    re_path(
        r"^account/link/password/(?P<uidb36>[0-9A-Za-z]+)-(?P<key>.+)/$",
        for_visitors(account.password_reset_from_key),
        name="account_reset_password_from_key",
    ),
]
