import { hash } from 'node:crypto'

/** The token of a seeded device, made from its number, so it needs no list and is the same in each run. */
export function seededToken(number: number): string {
  return `apd_${hash('sha256', `token ${number}`, 'base64url')}`
}

/** The id of a seeded device: a valid version 4 UUID, but not random. */
export function seededId(number: number): string {
  const digest = hash('sha256', `device ${number}`, 'hex')
  return digest.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*/, '$1-$2-4$3-a$4-$5')
}
