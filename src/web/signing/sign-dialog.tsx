import { type ReactNode, type SyntheticEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { SIGNED_NAME_LENGTH } from '../../domain/ranges.ts'
import type { DrawnLines } from '../../domain/signatures.ts'
import { Button } from '../ui/button.tsx'
import field from '../ui/field.module.css'
import css from './sign-dialog.module.css'
import { SignaturePad } from './signature-pad.tsx'

type SignDialogProps = {
  readonly title: string
  /** The text to sign, line by line. */
  readonly facts: readonly (readonly [label: string, text: string])[]
  readonly name: string
  readonly problem?: string | undefined
  readonly isBusy?: boolean
  readonly onSign: (signature: { readonly name: string; readonly strokes: DrawnLines | null }) => void
  readonly onClose: () => void
  /** Called when the dialog is touched: the text must not change from then on. */
  readonly onTouch?: () => void
  /** Fields above the text. */
  readonly children?: ReactNode
  /** More to sign, below the text. */
  readonly more?: ReactNode
}

/** Shows a text and takes a signature: drawn, or the typed name alone. It needs no other code, so that it opens offline. */
export function SignDialog({
  title,
  facts,
  problem,
  isBusy = false,
  onSign,
  onClose,
  onTouch,
  children,
  more,
  ...given
}: SignDialogProps) {
  const { t } = useTranslation()
  const box = useRef<HTMLDialogElement>(null)
  const [name, setName] = useState(given.name)
  const [lines, setLines] = useState<DrawnLines>([])
  useEffect(() => box.current?.showModal(), [])
  const trimmed = name.trim()
  return (
    <dialog
      ref={box}
      className={css.dialog}
      aria-label={title}
      onCancel={onClose}
      // A line drawn here must not turn the page below.
      onTouchStart={stop}
      onTouchEnd={stop}
    >
      <form
        className={css.form}
        onPointerDown={onTouch}
        onSubmit={(event) => {
          event.preventDefault()
          onSign({ name: trimmed, strokes: lines.length > 0 ? lines : null })
        }}
      >
        <h2>{title}</h2>
        {children}
        <dl className={css.facts}>
          {facts.map(([label, text]) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
        {more}
        <SignaturePad lines={lines} onDraw={setLines} />
        <label className={css.name}>
          {t('sign.name')}
          <input
            className={field.field}
            value={name}
            maxLength={SIGNED_NAME_LENGTH.max}
            onChange={({ target }) => setName(target.value)}
          />
        </label>
        {problem && <p role="alert">{problem}</p>}
        <div className={css.buttons}>
          <Button onClick={onClose}>{t('action.cancel')}</Button>
          <Button type="submit" look="primary" isBusy={isBusy} disabled={trimmed === ''}>
            {t('sign.done')}
          </Button>
        </div>
      </form>
    </dialog>
  )
}

function stop(event: SyntheticEvent): void {
  event.stopPropagation()
}
