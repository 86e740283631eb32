import { serverErrorSentence } from './error-body.ts'

/**
 * Every error code, with its HTTP status and a sentence for people. Clients branch on the code, never on
 * the sentence.
 */
export const errors = {
  invalid_input: { status: 400, sentence: 'Something in this request is missing or malformed.' },
  invalid_username: {
    status: 400,
    sentence: 'Username must be 3–32 chars: letters, numbers, _ or -',
  },
  weak_password: { status: 400, sentence: 'Password must be at least 8 characters' },
  common_password: { status: 400, sentence: 'That password is too easy to guess' },
  username_taken: { status: 409, sentence: 'That username is already taken' },
  invalid_credentials: { status: 401, sentence: 'Incorrect username or password' },
  avatar_type: { status: 400, sentence: 'This file is no PNG, JPEG or WebP picture.' },
  avatar_broken: {
    status: 400,
    sentence: 'This picture is damaged or incomplete. Save it anew, or choose another one.',
  },
  avatar_pixels: {
    status: 400,
    sentence: 'This picture has more than 16 million pixels. Make it smaller first.',
  },
  avatar_too_large: {
    status: 413,
    sentence: 'This picture is larger than 1 MB. Make it smaller first, or choose another one.',
  },
  registration_closed: { status: 403, sentence: 'Registration is closed on this server.' },
  invite_required: {
    status: 403,
    sentence: 'You need an invite to register here. Ask the operator of this server for one.',
  },
  invalid_invite: {
    status: 403,
    sentence: 'This invite is used up, withdrawn or too old. Ask for a new one.',
  },
  // Not 401: the user stays signed in.
  wrong_password: { status: 403, sentence: 'That is not your current password.' },
  invalid_code: {
    status: 400,
    sentence: 'This code has been used or replaced, or is too old. Ask for a new one.',
  },
  mail_off: {
    status: 403,
    sentence: 'This server sends no e-mail. Ask its operator for help.',
  },
  demo_account: {
    status: 403,
    sentence: 'Demo accounts can’t do this. Register to have an account of your own.',
  },
  account_disabled: {
    status: 403,
    sentence: 'This account has been turned off. The operator of this server can tell you why.',
  },
  signed_out: { status: 401, sentence: 'You are signed out. Sign in and try again.' },
  demo_off: { status: 403, sentence: 'Demo sign-in is turned off on this server.' },
  cross_site: { status: 403, sentence: 'This request came from another site, so it was refused.' },
  not_found: { status: 404, sentence: 'There is nothing here by that name.' },
  invalid_device: { status: 400, sentence: 'Some of these details can’t be used.' },
  device_limit: { status: 409, sentence: 'Your account can’t hold more devices.' },
  server_full: {
    status: 503,
    sentence: 'This server is full. Its operator can make more room.',
  },
  token_limit: {
    status: 409,
    sentence: 'This device can’t have more tokens. Revoke one first.',
  },
  invalid_csv: {
    status: 400,
    sentence: 'Some lines of this file can’t be used, so nothing was imported.',
  },
  api_key_limit: {
    status: 409,
    sentence: 'Your account can’t have more API keys. Revoke one first.',
  },
  invalid_api_key: { status: 401, sentence: 'This API key is wrong, revoked or past its end.' },
  missing_scope: { status: 403, sentence: 'This API key may not do that.' },
  quota_exceeded: {
    status: 409,
    sentence: 'Your key-value store is full. Delete something first.',
  },
  invalid_check: { status: 400, sentence: 'Some of these details can’t be used.' },
  check_limit: { status: 409, sentence: 'Your account can’t have more checks. Delete one first.' },
  invalid_import: { status: 400, sentence: 'This file can’t be imported.' },
  already_reported: {
    status: 409,
    sentence: 'You have reported this already. The operator of this server will look at it.',
  },
  report_limit: {
    status: 429,
    sentence: 'You can’t send more reports today.',
  },
  invalid_island: { status: 400, sentence: 'Some of these details can’t be used.' },
  slug_taken: { status: 409, sentence: 'Another island has this address. Choose another one.' },
  island_limit: { status: 409, sentence: 'Your account can’t host more islands.' },
  member_limit: { status: 409, sentence: 'This island can’t have more members.' },
  membership_limit: {
    status: 409,
    sentence: 'This account can’t join, or ask to join, more islands.',
  },
  request_limit: {
    status: 409,
    sentence: 'Too many people are already waiting for an answer from the host. Try again later.',
  },
  block_limit: {
    status: 409,
    sentence: 'This island can’t block more people. Unblock somebody first.',
  },
  invitation_limit: {
    status: 409,
    sentence: 'This island can’t have more invitations. Revoke one first.',
  },
  invalid_invitation: {
    status: 404,
    sentence: 'This invitation is used up, revoked or too old. Ask your host for a new one.',
  },
  signal_limit: {
    status: 429,
    sentence: 'You can’t send more signals today.',
  },
  note_limit: { status: 429, sentence: 'You can’t leave more notes today.' },
  channel_limit: {
    status: 409,
    sentence: 'An account can’t have more channels for alerts. Delete one first.',
  },
  channel_unready: {
    status: 409,
    sentence: 'Nothing is sent there, because it is not confirmed or was turned off.',
  },
  alert_islands_limit: {
    status: 409,
    sentence: 'An account can’t follow more islands. Stop following one first.',
  },
  maintenance_limit: {
    status: 409,
    sentence: 'An account can’t plan more times of maintenance. End one first.',
  },
  inside_address: {
    status: 400,
    sentence: 'This server sends nothing to itself or to addresses inside a private network.',
  },
  llm_not_configured: {
    status: 503,
    sentence: 'No language model is connected to this server.',
  },
  llm_demo: {
    status: 403,
    sentence: 'Demo accounts can’t use the language model. Register to use it.',
  },
  llm_budget: {
    status: 429,
    sentence: 'You have used up today’s share of the language model.',
  },
  llm_failed: {
    status: 502,
    sentence: 'The language model gave no usable answer. Try again in a moment.',
  },
  invalid_token: { status: 401, sentence: 'This device token is missing, wrong or revoked.' },
  token_scope: {
    status: 403,
    sentence: 'This token only reports that a device is alive. Make one that is for the relay.',
  },
  relay_off: {
    status: 403,
    sentence: 'This server has no relay. Its operator can turn it on.',
  },
  no_relayed_island: {
    status: 403,
    sentence:
      'The relay does not lead to this island on this device. In the settings of your island, choose “Through the relay” and this device.',
  },
  pages_off: {
    status: 403,
    sentence: 'This server hosts no pages. Its operator can change that.',
  },
  pages_refused: { status: 400, sentence: 'These files can’t become pages.' },
  pages_full: {
    status: 507,
    sentence: 'This server has no room for more pages. Its operator can make more.',
  },
  pages_in_review: {
    status: 409,
    sentence:
      'An operator of this server looks at these pages first, because they ask for a password or carry this server’s name. Until then they can’t be listed.',
  },
  not_agreed: {
    status: 403,
    sentence: 'Say who you are to write here.',
  },
  read_only: { status: 403, sentence: 'Nobody but the host writes here.' },
  muted: {
    status: 403,
    sentence: 'A moderator of this island does not let you write at the moment.',
  },
  not_yours: { status: 403, sentence: 'Somebody else wrote this, so you can’t change it.' },
  llm_off: {
    status: 403,
    sentence: 'The host of this island has not turned the language model on.',
  },
  invalid_domain: { status: 400, sentence: 'This domain can’t be used.' },
  ports_off: {
    status: 403,
    sentence: 'This server gives islands no ports of their own. Its operator can change that.',
  },
  not_relayed: {
    status: 409,
    sentence: 'This island does not use the relay, so it can’t have a port.',
  },
  no_free_port: {
    status: 409,
    sentence:
      'All ports of this server are taken. A port that is given back is free again a day later.',
  },
  relay_stopped: {
    status: 503,
    sentence:
      'The operator of this server has stopped the relay for this island. Its page tells you why.',
  },
  invalid_follower: {
    status: 401,
    sentence: 'A follower signs each request for this address, once and with the right time.',
  },
  follower_blocked: { status: 403, sentence: 'This installation has blocked yours.' },
  invalid_neighbour: { status: 400, sentence: 'This installation can’t be followed.' },
  neighbour_limit: {
    status: 409,
    sentence: 'This installation can’t follow more others. Forget one first.',
  },
  unsupported_media_type: { status: 415, sentence: 'This call takes another content type.' },
  upgrade_required: { status: 426, sentence: 'This address takes connections of another kind.' },
  too_large: { status: 413, sentence: 'This request is larger than the server accepts.' },
  request_timeout: { status: 408, sentence: 'This request took too long to arrive.' },
  headers_too_large: { status: 431, sentence: 'The headers of this request are too long.' },
  rate_limited: { status: 429, sentence: 'Too many tries. Wait a minute and try again.' },
  overloaded: {
    status: 503,
    sentence: 'The server is too busy or can’t reach its storage. Try again in a moment.',
  },
  server_error: { status: 500, sentence: serverErrorSentence },
} as const satisfies Record<string, { status: number; sentence: string }>

export type ErrorCode = keyof typeof errors

export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(errors, code)
}
