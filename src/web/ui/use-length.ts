import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'

/** Returns the number of characters as the service counts them. */
export function lengthOf(text: string): number {
  return [...text.trim()].length
}

/** Marks a text that is too long, instead of cutting pasted text, and keeps its form from being sent. */
export function useLength<Field extends HTMLInputElement | HTMLTextAreaElement>(
  text: string,
  max = Number.POSITIVE_INFINITY,
) {
  const { t } = useTranslation()
  const field = useRef<Field>(null)
  const over = lengthOf(text) - max
  const fault = over > 0 ? t('text.tooLong', { over, max }) : undefined
  useEffect(() => field.current?.setCustomValidity(fault ?? ''), [fault])
  return { field, fault }
}
