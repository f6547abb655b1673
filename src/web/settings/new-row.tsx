import { type PropsWithChildren, type RefObject, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../ui/button.tsx'
import { DiscardQuestion } from '../ui/discard-question.tsx'
import layout from '../ui/layout.module.css'
import { useUnsaved } from '../ui/unsaved.tsx'
import css from './new-row.module.css'

type NewRowProps = PropsWithChildren<{
  readonly add: string
  readonly isTyped: boolean
  readonly isWhole: boolean
  readonly isBusy: boolean
  /** Rejects if the service rejects the row. */
  readonly onSave: () => Promise<unknown>
  readonly onEmpty: () => void
}>

/** A button that opens the fields of a new row. Nothing is stored before Save or Enter. */
export function NewRow({ add, onEmpty, ...draft }: NewRowProps) {
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const wasOpen = useRef(false)
  useEffect(() => {
    if (wasOpen.current && !isOpen) button.current?.focus()
    wasOpen.current = isOpen
  }, [isOpen])
  const close = () => {
    onEmpty()
    setOpen(false)
  }
  if (isOpen) return <Draft {...draft} onClose={close} />
  return (
    <Button ref={button} onClick={() => setOpen(true)}>
      {add}
    </Button>
  )
}

type DraftProps = Omit<NewRowProps, 'add' | 'onEmpty'> & { readonly onClose: () => void }

/** The fields of a new row. Escape and Cancel drop them, after a question if something is typed. */
function Draft({ isTyped, isWhole, isBusy, onSave, onClose, children }: DraftProps) {
  const { t } = useTranslation()
  const [isAsking, setAsking] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  useUnsaved(() => isTyped || isBusy)
  useFirstField(form)
  const leave = () => {
    if (isBusy) return
    if (isTyped) setAsking(true)
    else onClose()
  }
  return (
    <>
      <form
        ref={form}
        className={css.draft}
        onSubmit={(event) => {
          event.preventDefault()
          // The failure is shown above the list; the fields stay.
          if (isWhole && !isBusy) onSave().then(onClose, () => undefined)
        }}
        onKeyDown={(event) => {
          if (event.key === 'Escape' && !event.defaultPrevented) leave()
        }}
      >
        <div className={css.fields}>{children}</div>
        <div className={layout.ending}>
          <Button onClick={leave}>{t('action.cancel')}</Button>
          <Button type="submit" look="primary" isBusy={isBusy} disabled={!isWhole}>
            {t('action.save')}
          </Button>
        </div>
      </form>
      {isAsking && <DiscardQuestion onStay={() => setAsking(false)} onDiscard={onClose} />}
    </>
  )
}

function useFirstField(form: RefObject<HTMLFormElement | null>): void {
  useEffect(() => form.current?.querySelector('input')?.focus(), [form])
}
