import { slugMaxLength } from '@astropelago/contract/limits'

const endings = ['isle', 'bay', 'cove', 'reef', 'haven']

/** Addresses that an island could have instead of the one that was wished for, each with a picture of its own. */
export function pictureChoices(wish: string): readonly string[] {
  return [wish, ...endings.map((ending) => `${wish}-${ending}`)].filter(
    (slug) => slug.length <= slugMaxLength,
  )
}
