/** The whole file can't be read. The message is one of `checkImportRefusals`. */
export class ImportRefused extends Error {}
