import css from './reasons.module.css'

/** One reason as a paragraph, or several as a list. */
export function Reasons({ reasons }: { reasons: readonly string[] }) {
  if (reasons.length === 1) return <p>{reasons[0]}</p>
  return (
    <ul className={css.reasons}>
      {reasons.map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
    </ul>
  )
}
