import type { ApiKeyScope } from '@astropelago/contract/api-key-scope'

/** What each scope lets a key do, as shown on the page. */
export const scopeNames: Readonly<Record<ApiKeyScope, { name: string; hint: string }>> = {
  'devices:write': {
    name: 'Change devices',
    hint: 'Register, change, import and delete devices, make and revoke their tokens.',
  },
  'devices:read': {
    name: 'Read devices',
    hint: 'List and export your devices, private ones too, with their exact places.',
  },
  metrics: {
    name: 'Read metrics',
    hint: 'Let Prometheus read which of your devices are up and when they were last seen.',
  },
}
