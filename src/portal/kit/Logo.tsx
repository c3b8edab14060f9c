export function Logo() {
  return (
    <svg viewBox="0 0 32 32" className="logo" aria-hidden="true">
      <rect width="32" height="32" rx="7" />
      <path d="M8 7h4v7h8V7h4v18h-4v-7h-8v7H8z" />
    </svg>
  )
}
