import { hash } from 'node:crypto'

/** Made of the number of a seeded device, so that no list is kept and each run has the same. */
export function seededToken(number: number): string {
  return `apd_${hash('sha256', `token ${number}`, 'base64url')}`
}

/** A random UUID but for its randomness. */
export function seededId(number: number): string {
  const digest = hash('sha256', `device ${number}`, 'hex')
  return digest.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*/, '$1-$2-4$3-a$4-$5')
}
