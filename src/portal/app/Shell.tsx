import { type ReactNode, useEffect, useState } from 'react'
import { Link, useLocation, useSearch } from 'wouter'
import { Button } from '../kit/Button.tsx'
import { Confirm } from '../kit/Dialog.tsx'
import { Select } from '../kit/Form.tsx'
import { withKeptFilters } from '../kit/keptFilters.ts'
import { Logo } from '../kit/Logo.tsx'
import { failureIn } from '../kit/Notice.tsx'
import { Toast, tell } from '../kit/toast.tsx'
import { RefusedTaps } from '../taps/RefusedTaps.tsx'
import { TapSender } from '../taps/TapSender.tsx'
import { isWaiting } from '../taps/taps.ts'
import { useTaps } from '../taps/useTaps.ts'
import { type Language, languages, setLanguage, type TextName, useTexts } from '../texts/texts.ts'
import { ShowThePast } from './asOf.tsx'
import { pathIn, rememberCompany, useShownCompany } from './company.tsx'
import { SearchButton } from './SearchButton.tsx'
import { SessionEnding } from './SessionEnding.tsx'
import { useLogOut, useMay, usePerson } from './session.tsx'
import { setTheme, type Theme, themes, useTheme } from './theme.ts'

/** The frame of every screen: skip link, navigation, company, account. */

export function Shell({ children }: { readonly children: ReactNode }) {
  const { t } = useTexts()
  const [isOpen, setIsOpen] = useState(false)
  const [place] = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the menu of a small screen closes at each new place
  useEffect(() => setIsOpen(false), [place])
  return (
    <div className="shell">
      <a className="skip" href="#content">
        {t('skip')}
      </a>
      <header className={isOpen ? 'side open' : 'side'}>
        <div className="brand">
          <Link href="/">
            <Logo />
            <span>Heatmark</span>
          </Link>
          <SearchButton />
          <button
            type="button"
            className="button menuButton"
            aria-expanded={isOpen}
            aria-controls="side"
            onClick={() => setIsOpen(!isOpen)}
          >
            {t('menu')}
          </button>
        </div>
        <div id="side" className="sideContent">
          <CompanySwitch />
          <ShowThePast />
          <Navigation />
          <Account />
          <footer className="muted">Heatmark {release}</footer>
        </div>
      </header>
      <main id="content" tabIndex={-1}>
        <SessionEnding />
        {children}
      </main>
      <Toast />
      <TapSender />
      <RefusedTaps />
    </div>
  )
}

/** The service writes its release into the page. */
const release = document.querySelector<HTMLMetaElement>('meta[name=release]')?.content

function CompanySwitch() {
  const { t } = useTexts()
  const { memberships } = usePerson()
  const companyId = useShownCompany()
  const [, go] = useLocation()
  if (memberships.length === 0 || companyId === undefined) return null
  return (
    <Select
      label={t('company')}
      isCompact
      value={companyId}
      onChange={(chosen) => {
        rememberCompany(chosen)
        go(pathIn(chosen))
      }}
      options={memberships.map(({ companyId, companyName }) => ({ value: companyId, text: companyName }))}
    />
  )
}

interface Place {
  readonly text: TextName
  readonly href: string
}

function usePlaces(): readonly (readonly [TextName | undefined, readonly Place[]])[] {
  const companyId = useShownCompany()
  const may = useMay()
  const mayHere = useMay(companyId)
  const ofCompany = (text: TextName, path: string): Place[] =>
    companyId === undefined ? [] : [{ text, href: pathIn(companyId, path) }]
  return [
    [undefined, ofCompany('overview', '')],
    [
      'groupYard',
      [
        ...ofCompany('certificates', '/certificates'),
        ...ofCompany('deliveries', '/deliveries'),
        ...ofCompany('orders', '/orders'),
        ...ofCompany('bars', '/bars'),
        ...(mayHere('startProductionPlanBar') ? ofCompany('saw', '/saw') : []),
        ...ofCompany('figures', '/figures'),
      ],
    ],
    [
      'groupRules',
      [...ofCompany('millcertTags', '/tags/millcert'), ...ofCompany('orderTags', '/tags/order')],
    ],
    [
      'groupSystem',
      [
        ...ofCompany('settings', '/settings'),
        ...(mayHere('listAuditTrail') ? ofCompany('audit', '/audit') : []),
        ...(may('listProjections') ? [{ text: 'operations', href: '/operations' } as const] : []),
      ],
    ],
    ['account', [{ text: 'keys', href: '/account/keys' }]],
  ]
}

function Navigation() {
  const { t } = useTexts()
  const [place] = useLocation()
  // Draw the links again when a filter changes, because they lead back to the kept filters.
  useSearch()
  const groups = usePlaces().filter(([, places]) => places.length > 0)
  const isHere = ({ href }: Place) =>
    place === href || (href.split('/').length > 3 && place.startsWith(`${href}/`))
  return (
    <nav aria-label={t('navigation')}>
      {groups.map(([group, places]) => (
        <ul key={group ?? ''} aria-label={group && t(group)}>
          {group && (
            <li className="groupName" aria-hidden="true">
              {t(group)}
            </li>
          )}
          {places.map((one) => (
            <li key={one.href}>
              <Link
                href={isHere(one) ? one.href : withKeptFilters(one.href)}
                aria-current={isHere(one) ? 'page' : undefined}
              >
                {t(one.text)}
              </Link>
            </li>
          ))}
        </ul>
      ))}
    </nav>
  )
}

const themeTexts = { system: 'themeSystem', light: 'themeLight', dark: 'themeDark' } as const

function Account() {
  const texts = useTexts()
  const { t, language } = texts
  const { name, userId } = usePerson()
  const unsent = useTaps().filter((tap) => tap.userId === userId && isWaiting(tap)).length
  const [asks, setAsks] = useState(false)
  const logOut = useLogOut()
  const leave = () => void logOut().catch((error: Error) => tell(failureIn(texts, error).text))
  return (
    <div className="account">
      <Select
        label={t('language')}
        isCompact
        value={language}
        onChange={(chosen) => void setLanguage(chosen as Language)}
        options={Object.entries(languages).map(([value, text]) => ({ value, text }))}
      />
      <Select
        label={t('theme')}
        isCompact
        value={useTheme()}
        onChange={(chosen) => setTheme(chosen as Theme)}
        options={themes.map((theme) => ({ value: theme, text: t(themeTexts[theme]) }))}
      />
      <div className="person">
        <span className="personName">{name}</span>
        <Button kind="quiet" onPress={() => (unsent > 0 ? setAsks(true) : leave())}>
          {t('logOut')}
        </Button>
      </div>
      {asks && (
        <Confirm
          title={t('tapsUnsent')}
          action={t('logOut')}
          onConfirm={leave}
          onClose={() => setAsks(false)}
        >
          <p>{t('logOutUnsent', { n: unsent })}</p>
        </Confirm>
      )}
    </div>
  )
}
