import { Notice } from '../ui/notice.tsx'
import { Reasons } from './reasons.tsx'

/** What to know before booking, beside what the rules say; nothing where there is nothing. */
export function WarningNotice({ words }: { words: readonly string[] }) {
  if (words.length === 0) return null
  return (
    <Notice kind="warn">
      <Reasons words={words} />
    </Notice>
  )
}
