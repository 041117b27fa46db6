package pyjsonschema

import "maps"

// Which keywords each validator class has (validators.py, 4.26.0). A draft is
// the one before it with what changed.

var (
	keywordsDraft3 = map[string]keywordFunc{
		"$ref":                 checkRef,
		"additionalItems":      checkAdditionalItems,
		"additionalProperties": checkAdditionalProperties,
		"dependencies":         checkDependencies3,
		"disallow":             checkDisallow3,
		"divisibleBy":          checkMultipleOf,
		"enum":                 checkEnum,
		"extends":              checkExtends3,
		"format":               checkFormat,
		"items":                checkItems4,
		"maxItems":             checkMaxItems,
		"maxLength":            checkMaxLength,
		"maximum":              checkMaximum4,
		"minItems":             checkMinItems,
		"minLength":            checkMinLength,
		"minimum":              checkMinimum4,
		"pattern":              checkPattern,
		"patternProperties":    checkPatternProperties,
		"properties":           checkProperties3,
		"type":                 checkType3,
		"uniqueItems":          checkUniqueItems,
	}
	keywordsDraft4 = derive(keywordsDraft3, map[string]keywordFunc{
		"allOf":         checkAllOf,
		"anyOf":         checkAnyOf,
		"dependencies":  checkDependencies,
		"maxProperties": checkMaxProperties,
		"minProperties": checkMinProperties,
		"multipleOf":    checkMultipleOf,
		"not":           checkNot,
		"oneOf":         checkOneOf,
		"properties":    checkProperties,
		"required":      checkRequired,
		"type":          checkType,
	}, "disallow", "divisibleBy", "extends")
	keywordsDraft6 = derive(keywordsDraft4, map[string]keywordFunc{
		"const":            checkConst,
		"contains":         checkContains7,
		"exclusiveMaximum": checkExclusiveMaximum,
		"exclusiveMinimum": checkExclusiveMinimum,
		"items":            checkItems7,
		"maximum":          checkMaximum,
		"minimum":          checkMinimum,
		"propertyNames":    checkPropertyNames,
	})
	keywordsDraft7 = derive(keywordsDraft6, map[string]keywordFunc{"if": checkIf})
	keywords201909 = derive(keywordsDraft7, map[string]keywordFunc{
		"$recursiveRef":         checkRecursiveRef,
		"contains":              checkContains,
		"dependentRequired":     checkDependentRequired,
		"dependentSchemas":      checkDependentSchemas,
		"unevaluatedItems":      checkUnevaluatedItems,
		"unevaluatedProperties": checkUnevaluatedProperties,
	}, "dependencies")
	keywords202012 = derive(keywords201909, map[string]keywordFunc{
		"$dynamicRef": checkRef,
		"items":       checkItems,
		"prefixItems": checkPrefixItems,
	}, "$recursiveRef", "additionalItems")
)

func derive(from, changes map[string]keywordFunc, removed ...string) map[string]keywordFunc {
	out := maps.Clone(from)
	maps.Copy(out, changes)
	for _, keyword := range removed {
		delete(out, keyword)
	}
	return out
}
