/** Shell lines that end a paste: they send one heartbeat now and say whether it arrived. */
export function firstHeartbeat(command: string, intervalText: string): string[] {
  return [
    `if ${command}; then`,
    `  echo 'Done: the first heartbeat arrived, more follow ${intervalText}.'`,
    'else',
    "  echo 'Installed, but the first heartbeat did not arrive: see above.' >&2",
    '  exit 1',
    'fi',
  ]
}
