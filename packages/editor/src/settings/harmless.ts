/** Everything below these is known to be harmless, unless a rule has something against it. */
export const HARMLESS_FAMILIES: readonly string[] = [
  ...['breadcrumbs', 'diffEditor', 'editor', 'explorer', 'mergeEditor', 'outline', 'scm'],
  ...['timeline', 'workbench.editor', 'workbench.list', 'workbench.tree', 'zenMode'],
  ...['html.completion', 'html.format', 'html.hover', 'html.suggest', 'html.validate'],
  ...['json.format', 'markdown.preview', 'markdown.suggest', 'markdown.validate'],
  ...below(['css', 'less', 'scss'], ['completion', 'format', 'hover', 'lint']),
  ...below(
    ['javascript', 'js/ts', 'typescript'],
    ['format', 'inlayHints', 'preferences', 'suggest'],
  ),
];

/** Single keys, each known to be harmless: rules about their families or words do not mean them. */
export const HARMLESS_KEYS: ReadonlySet<string> = new Set([
  'breadcrumbs.filePath',
  ...below(
    ['chat'],
    ['editor.fontFamily', 'editor.fontSize', 'editor.fontWeight', 'editor.lineHeight'],
    ['editor.wordWrap', 'fontFamily', 'fontSize'],
  ),
  ...below(['css', 'less', 'scss'], ['validate']),
  ...below(
    ['editor'],
    ['allowVariableFonts', 'allowVariableFontsInAccessibilityMode', 'allowVariableLineHeights'],
    ['semanticTokenColorCustomizations', 'tokenColorCustomizations'],
  ),
  ...below(
    ['emmet'],
    ['excludeLanguages', 'includeLanguages', 'showAbbreviationSuggestions'],
    ['showExpandedAbbreviation', 'showSuggestionsAsSnippets', 'triggerExpansionOnTab'],
  ),
  ...below(['explorer'], ['copyPathSeparator', 'copyRelativePathSeparator']),
  ...below(
    ['files'],
    ['associations', 'autoGuessEncoding', 'autoSave', 'autoSaveDelay', 'autoSaveWhenNoErrors'],
    ['autoSaveWorkspaceFilesOnly', 'candidateGuessEncodings', 'defaultLanguage', 'encoding', 'eol'],
    ['exclude', 'insertFinalNewline', 'refactoring.autoSave', 'restoreUndoStack'],
    ['trimFinalNewlines', 'trimTrailingWhitespace', 'trimTrailingWhitespaceInRegexAndStrings'],
    ['watcherExclude'],
  ),
  ...below(
    ['git'],
    ['blame.editorDecoration.enabled', 'blame.statusBarItem.enabled', 'branchSortOrder'],
    ['countBadge', 'decorations.enabled', 'inputValidation', 'inputValidationLength'],
    ['inputValidationSubjectLength', 'openDiffOnClick', 'showInlineOpenFileAction', 'showProgress'],
    ['timeline.date', 'timeline.showAuthor', 'timeline.showUncommitted'],
  ),
  ...below(['html'], ['autoClosingTags', 'autoCreateQuotes', 'mirrorCursorOnMatchingTag']),
  'html.validate.scripts',
  ...below(
    ['javascript', 'js/ts', 'typescript'],
    ['autoClosingTags', 'implementationsCodeLens.enabled', 'preferGoToSourceDefinition'],
    ['referencesCodeLens.enabled', 'referencesCodeLens.showOnAllFunctions', 'suggest.paths'],
    ['suggestionActions.enabled', 'updateImportsOnFileMove.enabled'],
    ['updateImportsOnPaste.enabled', 'validate.enable', 'validate.enabled'],
  ),
  ...below(['json'], ['colorDecorators.enable', 'maxItemsComputed', 'validate.enable']),
  ...below(
    ['markdown'],
    ['links.openLocation', 'occurrencesHighlight.enabled', 'suggest.paths.enabled'],
    ['suggest.paths.includeWorkspaceHeaderCompletions', 'updateLinksOnFileMove.enabled'],
  ),
  ...below(['notebook'], ['lineNumbers', 'output.textLineLimit', 'output.wordWrap']),
  ...below(
    ['search'],
    ['collapseResults', 'exclude', 'mode', 'showLineNumbers', 'smartCase', 'sortOrder'],
    ['useGlobalIgnoreFiles', 'useIgnoreFiles', 'useParentIgnoreFiles'],
  ),
  ...below(
    ['terminal.integrated'],
    ['bellDuration', 'cursorBlinking', 'cursorStyle', 'cursorStyleInactive', 'cursorWidth'],
    ['customGlyphs', 'drawBoldTextInBrightColors', 'enableVisualBell', 'fontFamily'],
    ['fontLigatures.enabled', 'fontSize', 'fontWeight', 'fontWeightBold', 'letterSpacing'],
    ['lineHeight', 'minimumContrastRatio', 'scrollback', 'smoothScrolling', 'stickyScroll.enabled'],
    ['tabs.enabled', 'tabs.hideCondition', 'tabs.location', 'tabs.showActiveTerminal'],
    ['textBlinking'],
  ),
  ...below(
    ['window'],
    ['autoDetectColorScheme', 'autoDetectHighContrast', 'commandCenter', 'density.editorTabHeight'],
    ['menuBarVisibility', 'title', 'titleBarStyle', 'titleSeparator', 'zoomLevel', 'zoomPerWindow'],
  ),
  ...below(
    ['workbench'],
    ['activityBar.location', 'colorCustomizations', 'colorTheme', 'commandPalette.history'],
    ['commandPalette.preserveInput', 'fontAliasing', 'hover.delay', 'iconTheme'],
    ['layoutControl.enabled', 'panel.defaultLocation', 'preferredDarkColorTheme'],
    ['preferredHighContrastColorTheme', 'preferredHighContrastLightColorTheme'],
    ['preferredLightColorTheme', 'productIconTheme', 'quickOpen.closeOnFocusLost'],
    ['quickOpen.preserveInput', 'reduceMotion', 'sideBar.location', 'startupEditor'],
    ['statusBar.visible', 'tips.enabled'],
  ),
]);

/**
 * Those whose value is an object. Below any other key VS Code would take the names in an object
 * for the rest of a key, and no rule would have seen it.
 */
export const OBJECT_KEYS: ReadonlySet<string> = new Set([
  ...below(['editor'], ['codeActionsOnSave', 'quickSuggestions']),
  ...below(['editor'], ['semanticTokenColorCustomizations', 'tokenColorCustomizations']),
  'emmet.includeLanguages',
  ...below(['explorer'], ['autoRevealExclude', 'fileNesting.patterns']),
  ...below(['files'], ['associations', 'exclude', 'watcherExclude']),
  'search.exclude',
  'workbench.colorCustomizations',
]);

function below(roots: readonly string[], ...keys: readonly (readonly string[])[]): string[] {
  return roots.flatMap((root) => keys.flat().map((key) => `${root}.${key}`));
}
