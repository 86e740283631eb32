import { pageParts } from '@astropelago/contract/pages'
import type { ComponentType } from 'react'
import { ErrorBoundary } from 'react-error-boundary'
import type { RouteObject } from 'react-router'
import { UnderConstruction } from './features/landing/under-construction.tsx'
import { SearchShortcut } from './features/search/search-shortcut.tsx'
import { GuardedPages, PublicPages } from './features/shell/pages.tsx'
import { NotFoundPage, RouterError } from './features/shell/error-pages.tsx'
import { Shell } from './features/shell/shell.tsx'
import { SignIn } from './features/sign-in/sign-in.tsx'
import { Starfield } from './features/starfield/starfield.tsx'
import { pageRoute } from './lib/router/page-route.tsx'
import { isLive } from './lib/site-kind.ts'
import { paths } from './paths.ts'

function page(
  path: string,
  fetchPage: () => Promise<ComponentType>,
  parts?: readonly string[],
): RouteObject {
  return pageRoute({ path, parts, fetchPage, Failure: RouterError })
}

/** A page with the device form, which uses the Observatory's map to pick places. */
function devicePage(
  path: string,
  fetchPage: () => Promise<ComponentType>,
  parts?: readonly string[],
): RouteObject {
  const fetchBoth = async () => {
    const [Page, { withPlacePicker }] = await Promise.all([
      fetchPage(),
      import('./with-place-picker.tsx'),
    ])
    return withPlacePicker(Page)
  }
  return page(path, fetchBoth, parts)
}

/** Not part of production builds, where /_ui is an ordinary unknown slug. */
const designPages: RouteObject[] = import.meta.env.DEV
  ? [page('/_ui', async () => (await import('./features/design-page/design-page.tsx')).DesignPage)]
  : []

const publicPages: RouteObject[] = [
  ...designPages,
  page(
    paths.landing(),
    async () => (await import('./features/landing/landing-page.tsx')).LandingPage,
  ),
  page(paths.explore(), async () => (await import('./explore-with-parts.tsx')).ExploreWithParts),
  page(
    paths.resetPassword(),
    async () =>
      (await import('./features/one-time-codes/reset-password-page.tsx')).ResetPasswordPage,
  ),
  page(
    paths.confirmEmail(),
    async () => (await import('./features/one-time-codes/confirm-email-page.tsx')).ConfirmEmailPage,
  ),
  page(
    paths.confirmChannel(),
    async () =>
      (await import('./features/one-time-codes/confirm-channel-page.tsx')).ConfirmChannelPage,
  ),
  page(
    paths.unsubscribe(),
    async () => (await import('./features/one-time-codes/unsubscribe-page.tsx')).UnsubscribePage,
  ),
  page(
    paths.invitation(),
    async () => (await import('./features/invitation/invitation-page.tsx')).InvitationPage,
  ),
  devicePage(
    '/devices/:id',
    async () => (await import('./device-with-alerts.tsx')).DeviceWithAlerts,
  ),
  page('/checks/:id', async () => (await import('./check-with-alerts.tsx')).CheckWithAlerts),
  page('/islands/:slug', async () => (await import('./island-with-parts.tsx')).IslandWithParts),
  page(
    `${paths.library()}/:name?`,
    async () => (await import('./features/library/library-page.tsx')).LibraryPage,
  ),
  page(
    paths.harborLogs(),
    async () => (await import('./harbor-logs-with-parts.tsx')).HarborLogsWithParts,
  ),
  page(
    paths.mothership(),
    async () => (await import('./mothership-or-slug.tsx')).MothershipOrSlug,
    pageParts.operator,
  ),
  page('/:slug', async () => (await import('./features/slug/slug-page.tsx')).SlugPage),
  { path: '*', element: <NotFoundPage /> },
]

const guardedPages: RouteObject[] = [
  page(
    paths.discover(),
    async () => (await import('./discover-with-parts.tsx')).DiscoverWithParts,
    pageParts.discover,
  ),
  page(
    paths.observatory(),
    async () => (await import('./observatory-with-reports.tsx')).ObservatoryWithReports,
  ),
  devicePage(
    paths.account(),
    async () => (await import('./account-with-parts.tsx')).AccountWithParts,
    pageParts.account,
  ),
  page(
    paths.dashboard(),
    async () => (await import('./dashboard-with-news.tsx')).DashboardWithNews,
  ),
  page(paths.checks(), async () => (await import('./features/checks/checks-page.tsx')).ChecksPage),
  page(
    paths.newIsland(),
    async () =>
      (await import('./features/island-builder/builder/new-island-page.tsx')).NewIslandPage,
  ),
  page(
    '/islands/:slug/enter',
    async () => (await import('./features/island/enter/enter-page.tsx')).EnterPage,
  ),
  page(
    '/islands/:slug/settings',
    async () =>
      (await import('./features/island-builder/settings/island-settings-page.tsx'))
        .IslandSettingsPage,
    pageParts.islandSettings,
  ),
  page(
    '/islands/:slug/editor',
    async () => (await import('./features/island-builder/editor/editor-page.tsx')).EditorPage,
  ),
  devicePage(
    paths.connect(),
    async () => (await import('./features/connect/connect-page.tsx')).ConnectPage,
  ),
]

export function createRoutes(): RouteObject[] {
  return [
    {
      element: (
        <ErrorBoundary FallbackComponent={RouterError}>
          <Shell
            sky={<Starfield />}
            notice={isLive() ? null : <UnderConstruction />}
            signIn={<SignIn />}
            search={<SearchShortcut />}
          />
        </ErrorBoundary>
      ),
      children: [
        { element: <PublicPages />, children: publicPages },
        { element: <GuardedPages />, children: guardedPages },
      ],
    },
  ]
}
