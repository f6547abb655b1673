import { useRef, useState } from 'react'

/** Copies a text, or selects its field if the browser forbids copying, as it does except on HTTPS and localhost. */
export function useCopying(text: string) {
  const field = useRef<HTMLInputElement>(null)
  const [outcome, setOutcome] = useState<'copied' | 'notCopied'>()
  const copy = () => {
    const copying = navigator.clipboard?.writeText(text) ?? Promise.reject(new Error('no clipboard'))
    copying.then(
      () => setOutcome('copied'),
      () => {
        field.current?.select()
        setOutcome('notCopied')
      },
    )
  }
  return { field, outcome, copy }
}
