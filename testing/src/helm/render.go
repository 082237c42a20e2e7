// Renders a chart as `helm template` does, with the functions that the charts of ops/helm use: those of sprig, and `required`.
// Arguments: the folder of the chart, and a file with values that replace its own.
package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"text/template"

	"github.com/Masterminds/sprig"
	"gopkg.in/yaml.v3"
)

type values = map[string]interface{}

func read(path string) values {
	text, err := os.ReadFile(path)
	check(err)
	found := values{}
	check(yaml.Unmarshal(text, &found))
	return found
}

func merge(into values, from values) values {
	for name, value := range from {
		inner, isMap := value.(values)
		own, hasOwn := into[name].(values)
		if isMap && hasOwn {
			into[name] = merge(own, inner)
		} else {
			into[name] = value
		}
	}
	return into
}

func check(err error) {
	if err == nil {
		return
	}
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

func main() {
	folder := os.Args[1]
	chart := read(filepath.Join(folder, "Chart.yaml"))
	// Templates name the fields of a chart with a capital.
	named := values{"Name": chart["name"], "Version": chart["version"], "AppVersion": chart["appVersion"]}
	data := values{
		"Chart":   named,
		"Release": values{"Name": "shops", "Namespace": "floorcast", "Service": "Helm"},
		"Values":  merge(read(filepath.Join(folder, "values.yaml")), read(os.Args[2])),
	}
	functions := sprig.TxtFuncMap()
	functions["required"] = func(message string, value interface{}) (interface{}, error) {
		if value == nil || value == "" {
			return nil, errors.New(message)
		}
		return value, nil
	}
	files, err := filepath.Glob(filepath.Join(folder, "templates", "*.yaml"))
	check(err)
	sort.Strings(files)
	for _, file := range files {
		text, err := os.ReadFile(file)
		check(err)
		parsed, err := template.New(filepath.Base(file)).Funcs(functions).Option("missingkey=error").Parse(string(text))
		check(err)
		var made bytes.Buffer
		check(parsed.Execute(&made, data))
		fmt.Printf("---\n%s\n", made.String())
	}
}
