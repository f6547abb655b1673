import { useTranslation } from 'react-i18next'
import { Button } from './button.tsx'
import { useCopying } from './use-copying.ts'

type CopyButtonProps = { readonly text: string; readonly look?: 'plain' | 'primary' }

/** Copies a text. Without HTTPS there is no clipboard and no button; the text's field can be copied by hand. */
export function CopyButton({ text, look = 'plain' }: CopyButtonProps) {
  const { t } = useTranslation()
  const { outcome, copy } = useCopying(text)
  if (!(navigator.clipboard as Clipboard | undefined)) return null
  return (
    <Button look={look} icon="copy" onClick={copy}>
      <span aria-live="polite">{t(outcome === 'copied' ? 'links.copied' : 'links.copy')}</span>
    </Button>
  )
}
