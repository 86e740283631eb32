/** Copies of the tokens of the same names, which a canvas can't read. */
export const chartColors = {
  ground: '#05070f',
  ink: '#e8edf7',
  muted: '#94a3b8',
  island: '#a78bfa',
  accent: '#22d3ee',
  line: 'rgb(148 163 184 / 9%)',
  route: 'rgb(148 163 184 / 30%)',
  chosenRoute: 'rgb(167 139 250 / 85%)',
  halo: 'rgb(167 139 250 / 18%)',
} as const
