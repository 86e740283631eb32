/** The languages of the web app, as BCP 47 tags. The first is the one that its texts are written in. */
export const languages = ['en', 'de'] as const
export type Language = (typeof languages)[number]

/** The language that the user chose. Without this cookie, the browser's languages decide. */
export const languageCookie = 'astropelago_language'
