import { DatabaseSync } from 'node:sqlite'
import { encodeDeviceKeys } from '../features/presence/heartbeat-log.ts'

/** Texts that could be mistaken for something else on the way. */
const awkwardTexts = [
  '',
  ' ',
  'null',
  '\\N',
  '\\x00',
  `"quoted", it's {"a": [1]}`,
  'line\nline\r\n\ttab\u0001\u007F',
  'Ærø · Ελλάδα · 日本 · 🛰️👩‍🚀',
  'e\u0301 is not é',
  '\u2028\uFEFF\uFFFD',
  '$1 ?1 %s',
]
const far = Number.MAX_SAFE_INTEGER

/**
 * Fills all tables of a SQLite file of this version with some hundred rows. There are gaps between keys and
 * after the last one. Values with an order are not written in that order.
 */
export function fillEveryTable(path: string): void {
  const database = new DatabaseSync(path)
  database.exec(
    'pragma foreign_keys = on; begin; delete from presence_event_cursors; delete from alert_cursors',
  )
  const insert: Insert = (table, ...rows) => {
    for (const row of rows) {
      const names = Object.keys(row).map((name) => `"${name}"`)
      const marks = names.map(() => '?').join(', ')
      database
        .prepare(`insert into ${table} (${names.join(', ')}) values (${marks})`)
        .run(...Object.values(row))
    }
  }
  insert('installation', {
    key: 1,
    private_key: new Uint8Array(48).fill(7),
    key_number: 2,
    key_changes: '[]',
    epoch: far,
    feed_epoch: null,
  })
  for (const [at, text] of awkwardTexts.entries()) {
    const key = 3 * at + 1
    insert('users', {
      key,
      username: `User${at}`,
      username_folded: `user${at}`,
      password_hash: at % 2 === 0 ? null : text,
      name: text,
      avatar: at % 3 === 0 ? null : text,
      hue: at % 2 === 0 ? null : at,
      email: at % 3 === 0 ? null : text,
      is_name_public: at % 2,
      is_demo: at % 2,
      created_ms: at === 0 ? far : at,
      expires_ms: at % 2 === 0 ? null : far - at,
      disabled_ms: at % 4 === 0 ? far - at : null,
      relay_stopped_ms: at % 2 === 0 ? null : far - at,
      relay_stopped_reason: at % 2 === 0 ? null : text,
      relay_trusted_ms: at % 3 === 0 ? null : far - at,
    })
    insert('avatars', {
      user_key: key,
      name: `${at}`.padStart(32, '0'),
      salt: new Uint8Array(16).fill(at),
      image: new Uint8Array(300).fill(3 * at),
    })
    insert('alert_channels', {
      key: 3 * at + 2,
      id: `channel-${at}`,
      user_key: key,
      kind: 'email',
      name: text,
      settings: JSON.stringify({ kind: 'email', address: text }),
      revision: at,
      secret: at % 2 === 0 ? null : text,
      unsubscribe_code: at % 3 === 0 ? null : `unsubscribe-${at}`,
      confirmed_ms: at % 2 === 0 ? null : far - at,
      code_hash: at % 2 === 0 ? new Uint8Array(32).fill(5 * at) : null,
      code_expires_ms: at % 2 === 0 ? far : null,
      ended_ms: at % 4 === 0 ? far - at : null,
      created_ms: at,
      answer_ms: at % 3 === 0 ? null : far,
      answer_is_ok: at % 3 === 0 ? null : at % 2,
      answer_text: at % 3 === 0 ? null : text,
      failing_ms: at % 5 === 0 ? far : null,
    })
    insert('alert_rules', { user_key: key, rules: JSON.stringify({ text }) })
    insert('alert_maintenance', {
      id: `maintenance-${at}`,
      user_key: key,
      from_ms: at,
      until_ms: far - at,
      scope: JSON.stringify({ devices: [text], islands: null, checks: null }),
      note: at % 2 === 0 ? null : text,
    })
    insert('alert_turns', {
      user_key: key,
      due_ms: at % 2 === 0 ? null : far - at,
      alerted_ms: at % 3 === 0 ? null : at,
    })
    insert('alert_messages', {
      key: 4 * at + 3,
      id: `alert-${at}`,
      user_key: key,
      at_ms: far - at,
      message: JSON.stringify({ title: text, lines: [text] }),
    })
    insert('alert_deliveries', {
      message_key: 4 * at + 3,
      user_key: key,
      channel_key: 3 * at + 2,
      channel_id: `channel-${at}`,
      channel_kind: 'email',
      channel_name: text,
      state: ['waiting', 'sent', 'failed'][at % 3] ?? 'waiting',
      tries: at,
      tried_ms: at % 2 === 0 ? null : far,
      next_ms: at % 3 === 0 ? far - at : null,
      answer: at % 2 === 0 ? null : text,
    })
    insert('status_pages', { user_key: key, settings: JSON.stringify({ text }) })
    insert('api_keys', {
      key: 2 * at + 1,
      id: `key-${at}`,
      user_key: key,
      key_hash: new Uint8Array(32).fill(10 * at),
      start: text,
      name: text,
      scopes: text,
      created_ms: at,
      last_used_ms: at % 2 === 0 ? null : far,
      expires_ms: at % 3 === 0 ? null : far - at,
    })
    insert('audit_log', {
      key: 13 * at + 1,
      at_ms: far - at,
      actor: text,
      action: text,
      subject: at % 2 === 0 ? null : text,
      details: at % 3 === 0 ? null : JSON.stringify({ text }),
      outcome: ['begun', 'done', 'refused'][at % 3] ?? 'done',
      code: at % 3 === 2 ? text : null,
    })
    insert('sessions', {
      token_hash: new Uint8Array(32).fill(255 - 20 * at),
      id: `session-${at}`,
      user_key: key,
      device: at % 2 === 0 ? null : text,
      address_family: [null, 4, 6][at % 3] ?? null,
      created_ms: -at,
      last_used_ms: far,
    })
    insert('one_time_codes', {
      key: 2 * at + 1,
      code_hash: new Uint8Array(32).fill(10 * at),
      user_key: key,
      purpose: at % 2 === 0 ? 'password' : 'email',
      email: at % 2 === 0 ? null : text,
      expires_ms: far - at,
    })
    insert('invites', {
      key: 4 * at + 1,
      id: `invite-${at}`,
      code_hash: new Uint8Array(32).fill(20 * at),
      note: at % 2 === 0 ? null : text,
      max_uses: 1000,
      uses: at,
      created_by: text,
      created_ms: at,
      expires_ms: far,
    })
    for (const collection of ['', text]) {
      for (const name of awkwardTexts.filter((other) => other !== '')) {
        if (collection === '' && text === '') continue
        const value = JSON.stringify({ text, name, number: 1e21, list: [null, 0.1] })
        insert('key_values', { user_key: key, collection, name, value, bytes: value.length })
      }
    }
    insert('llm_usage', {
      user_key: key,
      day: `2030-01-${10 + at}`,
      calls: at,
      tokens: 2 ** 31 - 1,
    })
    insert('reports', {
      key: 2 * at + 1,
      id: `report-${at}`,
      kind: 'device',
      subject_id: text,
      reporter_key: at % 3 === 0 ? null : key,
      reason: 'other',
      text,
      seen_name: text,
      seen_link: at % 2 === 0 ? null : text,
      seen_author: text,
      created_ms: far - at,
      outcome: [null, 'hidden', 'dismissed'][at % 3] ?? null,
      settled_ms: at % 3 === 0 ? null : far,
    })
    insert('announcements', {
      key: 20 - at,
      id: `announcement-${at}`,
      level: at % 2 === 0 ? 'news' : 'warning',
      title: text,
      text,
      starts_ms: -at,
      ends_ms: at % 2 === 0 ? null : far,
    })
    insert('outages', { from_ms: 1000 * (20 - at), to_ms: far })
    insert('unobserved', { from_ms: 1000 * (20 - at), to_ms: far, writer: at % 3 })
    insert(
      'presence_event_cursors',
      { reader: text, writer: at, sequence: far },
      { reader: text, writer: 99, sequence: 0 },
    )
  }
  for (let at = 1; at <= 40; at += 1) {
    const text = awkwardTexts[at % awkwardTexts.length] ?? ''
    const key = 5 * at
    insert('devices', {
      key,
      id: `device-${at}`,
      user_key: 3 * (at % awkwardTexts.length) + 1,
      label: text,
      lat: at === 1 ? -90 : at === 2 ? 5e-324 : Math.sin(at) * 90,
      lon: at === 1 ? 180 : at === 2 ? 0.1 + 0.2 : Math.cos(at) * 180,
      link: at % 2 === 0 ? null : text,
      visibility: at % 2 === 0 ? 'public' : 'private',
      precision: ['exact', 'km1', 'km10'][at % 3] ?? 'exact',
      is_shared: at % 2,
      public_since_ms: at % 2 === 0 ? at : null,
      created_ms: at,
      hidden_ms: at % 5 === 0 ? far : null,
      hidden_reason: at % 5 === 0 ? text : null,
      schedule:
        at % 6 === 0 ? JSON.stringify({ kind: 'period', periodS: 60 * at, graceS: at }) : null,
    })
    insert('device_tokens', {
      key: 7 * at,
      id: `token-${at}`,
      device_key: key,
      token_hash: Uint8Array.from({ length: 32 }, (_, byte) => (byte * at) % 256),
      start: text,
      label: at % 2 === 0 ? null : text,
      scope: at % 4 === 0 ? 'relay' : 'report',
      created_ms: far,
      last_used_ms: at % 3 === 0 ? null : at,
    })
    insert('presence', { device_key: key, last_seen_ms: far - at, is_online: at % 2 })
    insert('presence_events', {
      sequence: 11 * at,
      device_key: key,
      status: at % 2 === 0 ? 'online' : 'offline',
      at_ms: 1000 - at,
    })
    insert('device_reports', {
      device_key: key,
      at_ms: far - at,
      status: at % 2 === 0 ? 'ok' : 'fail',
      since_ms: at,
      text: at % 3 === 0 ? null : text,
      exit_code: at % 3 === 0 ? null : -at,
      started_ms: at % 4 === 0 ? null : far - at,
      duration_ms: at % 5 === 0 ? null : far,
      change: at % 4 === 0 ? null : far - at,
    })
    insert('device_days', {
      device_key: key,
      day: 40_000 - at,
      online_s: at,
      offline_s: 86_400 - at,
      unobserved_s: 0,
      flips: at,
      is_online: at % 2,
      since_ms: at % 3 === 0 ? null : far,
    })
    insert('alert_subject_rules', {
      user_key: 1,
      subject: 'device',
      subject_key: key,
      device_key: key,
      island_key: null,
      rules: JSON.stringify({ text }),
    })
    insert('alert_items', {
      user_key: 1,
      subject: at % 2 === 0 ? 'device' : 'warning',
      subject_key: key,
      device_key: key,
      island_key: null,
      is_over: at % 2,
      since_ms: far - at,
      ended_ms: at % 2 === 0 ? null : far,
      times: at,
      alerted_ms: at % 3 === 0 ? null : at,
    })
    insert('heartbeat_log', { at_ms: at, device_keys: encodeDeviceKeys([key, 5]) })
  }
  fillIslands(insert)
  insert('heartbeat_log', { at_ms: far, device_keys: new Uint8Array() })
  insert('alive_mark', { key: 1, at_ms: far })
  insert('alert_pause', { key: 1, since_ms: far })
  insert('alert_cursors', { source: 'islands', position: far })
  insert('push_keys', { key: 1, public_key: '"public"', private_key: 'private\n' })
  // These keys belonged to rows that were deleted.
  database.exec(`
    insert into users (key, username, username_folded, is_demo, created_ms) values (1000, 'x', 'x', 0, 0);
    delete from users where key = 1000;
    update sqlite_sequence set seq = 9007199254740990 where name = 'presence_events';
    commit`)
  database.close()
}

/** Call this after users and devices exist, because islands refer to them. */
function fillIslands(insert: Insert): void {
  for (const [at, text] of awkwardTexts.entries()) {
    const [key, userKey] = [4 * at + 1, 3 * at + 1]
    const isHidden = at % 4 === 0
    insert('islands', {
      key,
      id: `island-${at}`,
      user_key: at % 3 === 0 ? null : userKey,
      slug: `slug-${20 - at}`,
      name: text,
      kind: ['social', 'media', 'lab'][at % 3] ?? 'lab',
      tagline: text,
      about: text,
      rules_text: text,
      rules_changed_ms: 1,
      paused_ms: at,
      paused_until_ms: at % 2 === 0 ? null : far,
      pause_text: text,
      access: ['public', 'members', 'invited'][at % 3] ?? 'invited',
      is_listed: at % 2,
      address: at % 2 === 0 ? null : text,
      is_relayed: at % 2 === 0 ? 1 : 0,
      carrier_key: at % 2 === 0 ? null : 5 * (at + 1),
      created_ms: far - at,
      published_ms: at % 4 === 3 ? null : at,
      hidden_ms: isHidden ? far : null,
      hidden_reason: isHidden ? text : null,
      relay_stopped_ms: at % 3 === 0 ? null : far - at,
      relay_stopped_reason: at % 3 === 0 ? null : text,
      picture: 2 ** 32 - 1 - at,
    })
    insert('island_slugs', {
      slug: `slug-${20 - at}`,
      skeleton: at % 5 === 0 ? null : text,
      island_key: at % 3 === 0 ? null : key,
      user_key: at % 2 === 0 ? null : userKey,
      replaced_ms: at % 2 === 0 ? null : far,
      certified_ms: at % 3 === 0 ? null : far - at,
    })
    insert('alert_subject_rules', {
      user_key: userKey,
      subject: 'island',
      subject_key: key,
      device_key: null,
      island_key: key,
      rules: JSON.stringify({ text }),
    })
    insert('alert_items', {
      user_key: userKey,
      subject: 'island',
      subject_key: key,
      device_key: null,
      island_key: key,
      is_over: at % 2,
      since_ms: far - at,
      ended_ms: at % 2 === 0 ? null : far,
      times: at,
      alerted_ms: null,
    })
    const checkKey = 3 * at + 2
    insert('checks', {
      key: checkKey,
      id: `check-${at}`,
      user_key: userKey,
      name: text,
      target: JSON.stringify({ kind: 'push', text }),
      is_public: at % 2,
      public_ms: at % 2 === 0 ? null : far - at,
      is_paused: at % 2,
      island_key: at % 3 === 0 ? null : key,
      device_id: at % 6 === 0 ? text : null,
      push_hash: at % 2 === 0 ? null : new Uint8Array(32).fill(12 * at),
      source_id: at % 3 === 0 ? null : text,
      created_ms: far - at,
    })
    const status = ['up', 'down', 'unobserved'][at % 3] ?? 'up'
    insert('check_states', {
      check_key: checkKey,
      status,
      since_ms: far - at,
      looked_ms: at % 2 === 0 ? null : far,
      started_ms: at % 3 === 0 ? null : far,
      due_ms: at % 4 === 0 ? null : far,
      took_ms: at % 3 === 0 ? null : at,
      failures: at,
      note: at % 2 === 0 ? null : text,
    })
    insert('check_events', {
      check_key: checkKey,
      at_ms: far - at,
      kind: status,
      note: at % 2 === 0 ? null : text,
    })
    insert('check_samples', {
      check_key: checkKey,
      location_key: at,
      at_ms: far - at,
      took_ms: at % 2 === 0 ? null : at,
    })
    insert('check_days', {
      check_key: checkKey,
      location_key: at,
      day_ms: far - at,
      p50_ms: at,
      p95_ms: 2 * at,
    })
    insert('check_locations', {
      device_key: 5 * (at + 1),
      id: `location-${at}`,
      region: at % 2 === 0 ? null : text,
      is_lending: at % 2,
      consented_ms: at % 2 === 0 ? null : far,
    })
    insert('check_proofs', {
      user_key: userKey,
      place: `a${at}.example:443`,
      code: text,
      proven_ms: at % 2 === 0 ? null : far,
      asked_ms: at % 3 === 0 ? null : far,
    })
    insert('check_doubts', {
      check_key: checkKey,
      device_key: 5 * (at + 1),
      since_ms: far - at,
    })
    insert('check_alert_queue', {
      sequence: 9 * at + 1,
      check_key: checkKey,
      kind: status,
      at_ms: far - at,
    })
    insert('alert_subject_rules', {
      user_key: userKey,
      subject: 'check',
      subject_key: checkKey,
      check_key: checkKey,
      rules: JSON.stringify({ text }),
    })
    insert('alert_items', {
      user_key: userKey,
      subject: 'check',
      subject_key: checkKey,
      check_key: checkKey,
      is_over: at % 2,
      since_ms: far - at,
      ended_ms: at % 2 === 0 ? null : far,
      times: at,
      alerted_ms: null,
    })
    insert('island_members', { island_key: key, user_key: userKey, joined_ms: far - at })
    insert('island_requests', { island_key: key, user_key: userKey, text, at_ms: far - at })
    insert('island_blocks', { island_key: key, user_key: userKey, at_ms: far - at })
    insert('island_invitations', {
      key: 6 * at + 1,
      id: `invitation-${at}`,
      island_key: key,
      code_hash: new Uint8Array(32).fill(20 * at),
      note: at % 2 === 0 ? null : text,
      max_uses: 200,
      uses: at,
      created_ms: at,
      expires_ms: far,
    })
    insert('island_routes', { island_key: key, neighbour_key: 1, place: at })
    insert('relay_ports', {
      port: 25_100 - at,
      island_key: at % 3 === 0 ? null : key,
      freed_ms: at % 2 === 0 ? null : far,
    })
    const sessionHash = new Uint8Array(32).fill(255 - 20 * at)
    insert('relay_tickets', {
      ticket_hash: new Uint8Array(32).fill(250 - 10 * at),
      state_hash: new Uint8Array(32).fill(at),
      island_key: key,
      host_name: at % 2 === 0 ? null : text,
      session_hash: sessionHash,
      expires_ms: far - at,
    })
    insert('relay_grants', {
      grant_hash: new Uint8Array(32).fill(240 - 10 * at),
      island_key: key,
      host_name: at % 2 === 0 ? null : text,
      session_hash: sessionHash,
      started_ms: far - at,
    })
    insert('relay_answers', {
      user_key: userKey,
      island_key: key,
      visitor_id: `visitor-${at}`,
      shares_name: [null, 0, 1][at % 3] ?? null,
      answered_ms: far - at,
    })
    insert('relay_domains', {
      island_key: key,
      domain: text,
      code: text,
      is_in_logs: at % 2,
      claimed_ms: far - at,
      proven_ms: at % 2 === 0 ? null : at,
      checked_ms: at % 3 === 0 ? null : far,
      missing_ms: at % 3 === 1 ? null : at,
      unanswered_ms: at % 4 === 0 ? null : far,
      lost_ms: at % 2 === 0 ? far - at : null,
      lost_reason: at % 2 === 0 ? (['missing', 'unanswered', 'taken'][at % 3] ?? null) : null,
      alerted_ms: at % 4 === 0 ? far : null,
    })
    insert('relay_domain_certificates', {
      domain: text,
      user_key: at % 3 === 0 ? null : userKey,
      certified_ms: far - at,
    })
    const contentHash = new Uint8Array(32).fill(230 - 10 * at)
    insert('page_deployments', {
      key,
      id: `deployment ${at}`,
      island_key: key,
      state: 'published',
      is_live: at % 2,
      source: ['upload', 'editor', 'template'][at % 3] ?? 'upload',
      created_ms: far - at,
      changed_ms: far,
      file_count: 1,
      bytes: far,
      stored_bytes: far,
      suspicion: [null, 'password', 'name'][at % 3] ?? null,
      passed_ms: at % 2 === 0 ? null : far,
    })
    insert('page_files', {
      deployment_key: key,
      path: text,
      content_hash: contentHash,
      bytes: far,
      gzip_bytes: at % 2 === 0 ? null : far,
      blocked: at % 2 === 0 ? null : '[]',
      suspicion: [null, 'password', 'name'][at % 3] ?? null,
    })
    insert('page_chunks', {
      island_key: key,
      content_hash: contentHash,
      is_gzip: at % 2,
      position: at,
      data: contentHash,
    })
    insert('page_previews', {
      token_hash: contentHash,
      is_ticket: at % 2,
      island_key: key,
      deployment_key: at % 2 === 0 ? null : key,
      session_hash: sessionHash,
      expires_ms: far - at,
    })
    insert('island_values', {
      island_key: key,
      store: ['kv', 'shared', 'host'][at % 3] ?? 'kv',
      owner_key: at % 3 === 0 ? userKey : 0,
      name: text,
      user_key: userKey,
      author_id: text,
      author_name: text,
      value: '1',
      bytes: 1,
      changed_ms: far - at,
    })
    insert('rooms', {
      key,
      id: text,
      island_key: key,
      name: text,
      last_n: 1,
      is_read_only: at % 2,
      changed_ms: far - at,
    })
    insert('room_events', {
      room_key: key,
      n: 1,
      at_ms: far - at,
      kind: 'message',
      user_key: at % 2 === 0 ? null : userKey,
      author_id: at % 2 === 0 ? null : text,
      author_name: at % 2 === 0 ? null : text,
      client_id: text,
      value: at % 3 === 0 ? null : '1',
    })
    insert('room_silences', {
      island_key: key,
      user_key: userKey,
      visitor_id: text,
      name: text,
      kind: ['mute', 'block'][at % 2] ?? 'mute',
      until_ms: at % 2 === 0 ? null : far,
    })
    insert('island_llm_budgets', { island_key: key, daily_tokens: at })
    insert('island_llm_usage', {
      island_key: key,
      user_key: userKey,
      day: '2030-01-31',
      tokens: at,
    })
    insert('followers', {
      address: `https://follower-${at}.example`,
      public_key: text,
      is_verified: at % 2,
      first_ms: at,
      last_ms: far - at,
      asked_ms: at % 2 === 0 ? null : far,
    })
    insert('neighbours', {
      key,
      id: `neighbour ${at}`,
      address: text,
      name: text,
      colour: at,
      state: ['following', 'held', 'blocked'][at % 3] ?? 'held',
      note: at % 2 === 0 ? null : text,
      public_key: text,
      key_number: at,
      unknown_key: at % 2 === 0 ? null : text,
      epoch: at % 2 === 0 ? null : far - at,
      number: at % 2 === 0 ? null : far,
      snapshot: at,
      contact_ms: at % 3 === 0 ? null : far,
      added_ms: far - at,
    })
    insert('neighbour_devices', {
      key,
      neighbour_key: key,
      id: text,
      label: text,
      lat: 0.1 * at,
      lon: -180 + at,
      status: ['unknown', 'online', 'offline'][at % 3] ?? 'unknown',
      snapshot: at,
    })
    insert('neighbour_islands', {
      key,
      neighbour_key: key,
      id: text,
      slug: text,
      name: text,
      kind: ['social', 'media', 'lab'][at % 3] ?? 'lab',
      picture: at,
      tagline: text,
      access: ['public', 'members', 'invited'][at % 3] ?? 'public',
      is_open: at % 2,
      device_id: at % 2 === 0 ? null : text,
      snapshot: at,
    })
    insert('hidden_of_neighbours', {
      neighbour_key: key,
      kind: ['device', 'island'][at % 2] ?? 'island',
      id: text,
    })
    insert('relay_openings', { island_key: key, is_open: at % 2, since_ms: far - at })
    insert('island_events', {
      island_key: key,
      at_ms: far - at,
      kind: ['open', 'closed', 'unobserved'][at % 3] ?? 'open',
    })
    insert('island_alert_queue', {
      sequence: 3 * at + 1,
      island_key: key,
      at_ms: far - at,
      kind: ['open', 'closed', 'unobserved'][at % 3] ?? 'open',
      last_user_key: userKey,
    })
    insert('island_visible_since', {
      island_key: key,
      members_ms: far,
      users_ms: at % 2 === 0 ? null : far,
      everybody_ms: at % 3 === 0 ? null : far - at,
    })
    insert('island_log', {
      key: 8 * at + 1,
      id: `line-${at}`,
      island_key: key,
      kind: ['opened', 'closed', 'joined', 'signal', 'note'][at % 5] ?? 'note',
      user_key: at % 3 === 0 ? null : userKey,
      text: at % 2 === 0 ? null : text,
      event_ms: at % 4 === 0 ? far : null,
      at_ms: far - at,
      hidden_ms: isHidden ? far : null,
      hidden_reason: isHidden ? text : null,
    })
  }
}

type Insert = (table: string, ...rows: readonly Readonly<Record<string, Value>>[]) => void
type Value = string | number | null | Uint8Array
