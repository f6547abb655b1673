import { useRef, useState } from 'react'

/** Copies a text for a button, or selects its field where the browser does not allow that: it does on https and localhost only. */
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
