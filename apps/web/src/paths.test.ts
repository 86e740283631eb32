import { expect, test } from 'vitest'
import { paths } from './paths.ts'

test('every link leads where it always led', () => {
  const { accountPart, discoverCategory, mothership, neighbourDevice, ...others } = paths
  const links = Object.fromEntries(
    Object.entries(others).map(([name, path]) => [name, path('a b')]),
  )
  expect({
    ...links,
    accountPart: accountPart('alerts'),
    discoverCategory: discoverCategory('islands', { kind: 'a b' }),
    islandEditorLine: paths.islandEditor('a b', 'a b/c.html', 12),
    islandSettingsPart: paths.islandSettings('a b', 'door'),
    mothership: mothership(),
    neighbourDevice: neighbourDevice('https://sky.example', 'a b'),
    operatorPart: mothership('users', { user: 'a b' }),
  }).toMatchInlineSnapshot(`
    {
      "account": "/account",
      "accountPart": "/account/alerts",
      "apiDocs": "/api/docs",
      "check": "/checks/a%20b",
      "checkStatusBadge": "/badges/checks/a%20b/status.svg",
      "checkUptimeBadge": "/badges/checks/a%20b/uptime.svg",
      "checks": "/checks",
      "confirmChannel": "/confirm-channel",
      "confirmEmail": "/confirm-email",
      "connect": "/connect",
      "connectDevice": "/connect?device=a+b",
      "connectHosting": "/connect?for=hosting&device=a+b",
      "dashboard": "/dashboard",
      "device": "/devices/a%20b",
      "discover": "/discover",
      "discoverCategory": "/discover/islands?kind=a+b",
      "explore": "/explore",
      "guide": "/library/a%20b",
      "harborLogs": "/harbor-logs",
      "invitation": "/invitation",
      "island": "/islands/a%20b",
      "islandEditor": "/islands/a%20b/editor",
      "islandEditorLine": "/islands/a%20b/editor?file=a+b%2Fc.html&line=12",
      "islandName": "/islands/a%20b/enter?ask=1",
      "islandPages": "/islands/a%20b/settings/pages",
      "islandSettings": "/islands/a%20b/settings",
      "islandSettingsPart": "/islands/a%20b/settings/door",
      "landing": "/",
      "landingConnect": "/#connect",
      "landingFaq": "/#faq",
      "landingHowItWorks": "/#how-it-works",
      "landingSafety": "/#safety",
      "library": "/library",
      "mothership": "/mothership",
      "neighbourDevice": "https://sky.example/devices/a%20b",
      "newIsland": "/new-island?island=a+b",
      "newIslandAs": "/new-island?what=a+b",
      "newIslandOn": "/new-island?device=a+b",
      "observatory": "/observatory",
      "observatoryDevice": "/observatory?device=a+b",
      "operatorPart": "/mothership/users?user=a+b",
      "resetPassword": "/reset-password",
      "signIn": "/explore?signin=1",
      "statusPage": "/status/a%20b",
      "tavern": "/thetravelerstavern",
      "unsubscribe": "/unsubscribe",
    }
  `)
})
