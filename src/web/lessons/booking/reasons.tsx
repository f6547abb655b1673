import css from './reasons.module.css'

/** One sentence as it is, several as a list. */
export function Reasons({ words }: { words: readonly string[] }) {
  if (words.length === 1) return <p>{words[0]}</p>
  return (
    <ul className={css.reasons}>
      {words.map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
    </ul>
  )
}
