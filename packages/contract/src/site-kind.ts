/**
 * What a site says that it is: a prototype has the Under Construction banner and warns of data resets, a live one is
 * meant to stay.
 */
export const stages = ['prototype', 'live'] as const
export type Stage = (typeof stages)[number]
