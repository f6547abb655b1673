const NOT_LATIN = /[^\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]/u
const WITHOUT_VOWELS = /[\p{Script=Arabic}\p{Script=Hebrew}]/u

/** Whether a text has letters of another script than the Latin. */
export function isOtherScript(text: string): boolean {
  return NOT_LATIN.test(text)
}

/** Whether a text is in a script that omits most vowels. */
export function omitsVowels(text: string): boolean {
  return WITHOUT_VOWELS.test(text)
}
